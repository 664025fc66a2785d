export { McpServerError, type McpServerErrorCode, mcpServerErrorCodes } from './mcp-server-error.ts'
export type {
  CapturedNote,
  CaptureRequest,
  ForgottenNote,
  ListedNote,
  MemoryPort,
  NoteText,
  OpenMemoryPort,
  PlanTrace,
  RecallAnswer,
  RecalledItem,
  RecallQuestion,
  SavedNote,
  SaveRequest,
  StateQuestion,
  StateText,
} from './memory-port.ts'
export { memoryServer } from './memory-server.ts'
export { defaultHttpPort, type HttpOptions, type HttpServing, serveHttp } from './serve-http.ts'
export { serveStdio, type StdioOptions } from './serve-stdio.ts'
export { workspacePort } from './workspace-port.ts'
