// Lints deploy/Dockerfile. The built image is tested in image.test.ts.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'

const text = await readFile(join(import.meta.dirname, '../../deploy/Dockerfile'), 'utf8')

test('the Dockerfile has no linter errors', () => {
  expect(validate(text)).toEqual([])
})

test.each([
  ['an unknown instruction', text.replace('EXPOSE', 'EXPOSES')],
  ['an unknown flag', text.replace('--interval', '--every')],
  ['two stages with the same name', text.replace('AS sandbox\n', 'AS service\n')],
])('the linter detects %s in the Dockerfile', (_, slipped) => {
  expect(slipped).not.toBe(text)
  expect(validate(slipped)).not.toEqual([])
})
