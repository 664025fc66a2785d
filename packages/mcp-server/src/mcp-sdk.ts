/**
 * What this package uses of the MCP SDK, in one file: the published package holds that part inside (tools/bundle-mcp.mjs), because
 * the SDK brings ninety packages and 17 MB, and a memory server over standard input needs none of them.
 */
export { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
export { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js'
export {
  CallToolRequestSchema,
  CancelledNotificationSchema,
  ErrorCode,
  InitializeRequestSchema,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  LATEST_PROTOCOL_VERSION,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
export type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
export type {
  CallToolResult,
  Implementation,
  InitializeResult,
  ListResourcesResult,
  ReadResourceResult,
  RequestId,
  ServerCapabilities,
  ServerNotification,
  ServerRequest,
  ServerResult,
  Tool,
  ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js'
