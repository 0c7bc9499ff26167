// Compares the Indonesian guides with the English ones. Only the prose may differ.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const docs = join(import.meta.dirname, '../../../../docs')
const pages = readdirSync(join(docs, 'id/guides'))

const read = (folder: string, page: string) => readFileSync(join(docs, folder, page), 'utf8')

const codeBlock = /^( *)(`{3,})[^`\n]*\n[\s\S]*?^\1\2$/gm

/**
 * Returns the parts of a guide that a translation must not change, such as code blocks. Code blocks and headings are in
 * the same order as on the page. Links are sorted.
 */
function fixedPartsOf(markdown: string) {
  const prose = markdown.replaceAll(codeBlock, '')
  return {
    code: markdown.match(codeBlock) ?? [],
    headings: prose.match(/^#+ /gm) ?? [],
    links: [...prose.matchAll(/\]\(([^)\s]+)\)|<(https?:[^>]+)>/g)]
      .map(([, to, address]) => to ?? address)
      .sort(),
  }
}

test('the quick start has an Indonesian translation', () => expect(pages).toContain('quick-start.md'))

test.each(pages)(
  'the Indonesian %s has the same headings, links and code blocks as the English page',
  page => {
    expect(existsSync(join(docs, 'guides', page))).toBe(true)
    expect(fixedPartsOf(read('id/guides', page))).toEqual(fixedPartsOf(read('guides', page)))
  },
)
