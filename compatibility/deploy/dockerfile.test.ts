// Lints deploy/Dockerfile. image.test.ts tests the built image.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'

const text = await readFile(join(import.meta.dirname, '../../deploy/Dockerfile'), 'utf8')

test('the linter finds nothing', () => {
  expect(validate(text)).toEqual([])
})

test.each([
  ['an instruction that is none', text.replace('EXPOSE', 'EXPOSES')],
  ['a flag that is none', text.replace('--interval', '--every')],
  ['a stage of the same name', text.replace('AS sandbox\n', 'AS service\n')],
])('the linter finds %s', (_, slipped) => {
  expect(slipped).not.toBe(text)
  expect(validate(slipped)).not.toEqual([])
})
