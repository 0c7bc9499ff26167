// Runs the code of each operating page in a separate checkout with its own PostgreSQL (README.md).

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { operatorPages, root } from './pages.ts'
import { operatorsPlace } from './places.ts'
import { runPage } from './run-page.ts'

// This limit is never reached: a block that does not end fails earlier, with an error that contains the block's name.
const timeout = 900_000

test.each(operatorPages)('every code block of %s has the documented result', { timeout }, async page => {
  const place = await operatorsPlace()
  onTestFinished(place.remove)
  const { close } = await runPage(join(root, page), place)
  await close()
})

// The page's own commands show that the metric exists, so this test checks only the rule's syntax.
test('the alert in provider-health.md is a valid Prometheus rule file', async () => {
  const page = await readFile(join(root, 'docs/provider-health.md'), 'utf8')
  const [, yaml] = page.match(/^```yaml title="gapura\.rules\.yml"\n(.*?)^```$/ms) ?? []
  const bun = join(root, 'compatibility/node_modules/.bin/bun')
  const program = 'console.log(JSON.stringify(Bun.YAML.parse(process.argv[1])))'
  const { stdout } = await promisify(execFile)(bun, ['-e', program, yaml as string])
  expect(JSON.parse(stdout)).toEqual({
    groups: [
      {
        name: expect.any(String),
        rules: [
          {
            alert: expect.stringMatching(/^[A-Za-z_]\w*$/),
            expr: expect.stringMatching(/^max by \((\w+)(, \w+)*\) \(gapura_\w+\) == 1$/),
            for: expect.stringMatching(/^\d+[smh]$/),
          },
        ],
      },
    ],
  })
})
