// Compares openapi/openapi.json with openapi/baseline.json, the last release's document: node
// packages/server/src/openapi/check-baseline.ts fails and explains each change that breaks clients node
// packages/server/src/openapi/check-baseline.ts --release also copies the document to baseline.json

import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { breakingChanges } from './breaking-changes.ts'

const folder = join(import.meta.dirname, '../../../../openapi')
const [current, baseline] = [join(folder, 'openapi.json'), join(folder, 'baseline.json')]
const [after, before] = await Promise.all(
  [current, baseline].map(async file => JSON.parse(await readFile(file, 'utf8'))),
)

const changes = breakingChanges(before, after)
for (const change of changes) console.error(change)
if (changes.length > 0) {
  console.error(
    `${changes.length} ${changes.length === 1 ? 'change' : 'changes'} would break clients of /v1. For the rules on changes and on retiring a part of the API, see docs/guides/versioning.md`,
  )
  process.exitCode = 1
} else if (process.argv.includes('--release')) await copyFile(current, baseline)
