// Where the service finds its files that are not code: assets, migrations, documentation and the dashboard's pages.

import { join } from 'node:path'

/**
 * Whether this code runs from the built package (build-package.ts), which contains JavaScript and copies of the files
 * in the `repository` directory.
 */
const isBuilt = import.meta.filename.endsWith('.js')

/**
 * The directory of the service's package, with its assets and migrations. The other modules use this path instead of
 * deriving one from their own location, because the built package contains several modules in one file.
 */
export const packageDirectory = join(import.meta.dirname, '..')

/** The directory with the documentation, the OpenAPI document and the dashboard's pages. */
export const repository = join(packageDirectory, isBuilt ? 'repository' : '../..')
