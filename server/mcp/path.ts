/** The path of the service's tools for assistants. */
export const MCP_PATH = '/mcp'
