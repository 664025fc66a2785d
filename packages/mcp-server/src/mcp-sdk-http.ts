/** As mcp-sdk.ts, for HTTP alone. */
export { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
