import project from '../package.json' with { type: 'json' }

/** The version of this build: that of the project. */
export const AISLE_VERSION: string = project.version
