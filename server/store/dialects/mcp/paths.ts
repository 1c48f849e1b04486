/** Where the spec's agent tools are. */
export const AGENT_TOOLS_PATH = '/mcp'
