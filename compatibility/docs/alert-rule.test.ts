import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from './pages.ts'

// This test checks only the syntax of the alert rule. The test that runs the commands in docs/provider-health.md
// checks that the metric in the rule exists.
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
