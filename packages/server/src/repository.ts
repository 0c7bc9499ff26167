// The directory with the files the service reads from outside its own package: the documentation, the OpenAPI
// document and the built dashboard.

import { join } from 'node:path'

/**
 * Whether this code runs from the published package, which contains compiled code (.js) and copies of the files
 * in the `repository` directory (build-package.ts).
 */
const isPublished = import.meta.filename.endsWith('.js')

export const repository = join(import.meta.dirname, isPublished ? '../repository' : '../../..')
