// Writes openapi/openapi.json: node packages/server/src/openapi/write-document.ts

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { appRouter, proceduresOf } from '../router.ts'
import { openApiDocument } from './document.ts'

const manifest = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}
const procedures = proceduresOf(appRouter).flatMap(([, { _def }]) =>
  _def.meta ? [{ meta: _def.meta, inputs: _def.inputs }] : [],
)
const document = openApiDocument(appRouter, procedures, manifest.version)
await writeFile(
  join(import.meta.dirname, '../../../../openapi/openapi.json'),
  `${JSON.stringify(document, null, 2)}\n`,
)
