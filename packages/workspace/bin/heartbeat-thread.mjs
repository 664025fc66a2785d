import { runHeartbeatThread } from '../dist/heartbeat-thread.js'

await runHeartbeatThread()
