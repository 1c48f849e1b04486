/** Where the service offers its tools to assistants. */
export const MCP_PATH = '/mcp'
