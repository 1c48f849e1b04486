import project from '../../package.json' with { type: 'json' }

/** The version of this build, which MCP clients show. */
export const AISLE_VERSION: string = project.version
