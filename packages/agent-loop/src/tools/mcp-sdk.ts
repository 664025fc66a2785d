/**
 * What this package uses of the MCP SDK, in one file: the published package holds that part inside (tools/bundle-mcp.mjs), because
 * the SDK brings ninety packages and 17 MB.
 */
export type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
export { Client } from '@modelcontextprotocol/sdk/client/index.js'
export { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
export { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
