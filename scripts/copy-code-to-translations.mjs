#!/usr/bin/env node
// Copies the code blocks from the English guides to their translations: node scripts/copy-code-to-translations.mjs
//
// Run this script after changing only the code in a guide. The translation must have as many code blocks as the English
// page.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const docs = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs')
const codeBlock = /^( *)(`{3,})[^`\n]*\n[\s\S]*?^\1\2$/gm

for (const page of readdirSync(join(docs, 'id/guides'))) {
  const file = join(docs, 'id/guides', page)
  const english = readFileSync(join(docs, 'guides', page), 'utf8').match(codeBlock) ?? []
  const translated = readFileSync(file, 'utf8')
  const count = translated.match(codeBlock)?.length ?? 0
  if (count === english.length)
    writeFileSync(
      file,
      translated.replaceAll(codeBlock, () => english.shift()),
    )
  else {
    console.error(`${page} has ${count} code blocks, but the English page has ${english.length}`)
    process.exitCode = 1
  }
}
