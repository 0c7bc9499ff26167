import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { main, newHome } from '../test/gapura.ts'

const run = promisify(execFile)
const words = async (...typed: string[]) =>
  (await newHome().gapura(['__complete', ...typed])).stdout
    .split('\n')
    .filter(Boolean)
    .map(line => line.split('\t')[0])

test('the CLI completes the first letters of commands, options, option values and profile names', async () => {
  expect(await words('pay')).toEqual(['payments'])
  expect(await words('payments', 'c')).toEqual(['create', 'cancel', 'challenged'])
  expect(await words('payments', 'create', '--cust')).toEqual([
    '--customer-name',
    '--customer-email',
    '--customer-phone',
    '--customer-ip',
  ])
  expect(await words('payments', 'list', '--status', 'c')).toEqual(['cancelled', 'challenged'])
  expect(await words('payments', 'list', '--status', 'paid', '--js')).toEqual(['--json'])
  expect(await words('nonsense', '')).toContain('login')
  const home = newHome()
  home.profiles({ shop: {}, live: {} })
  const { stdout } = await home.gapura(['__complete', 'whoami', '--profile', 's'])
  expect(stdout).toBe('shop\tprofile\n')
})

/**
 * For each shell, a function that returns a command. The command loads the completion script and prints the
 * script's suggestions for the typed words.
 */
const shells: [string, (script: string, typed: string[]) => string][] = [
  [
    'bash',
    (script, typed) =>
      `${script}\nCOMP_WORDS=(gapura ${typed.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${typed.length}; _gapura; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  ['fish', (script, typed) => `${script}\ncomplete -C 'gapura ${typed.join(' ')}'`],
  [
    'zsh',
    (script, typed) =>
      `compdef() { :; }; _files() { :; }; _describe() { for each in $candidates; print -r -- \${each%%:*} }\n${script}\nwords=(gapura ${typed.map(word => `'${word}'`).join(' ')}); CURRENT=${typed.length + 1}; _gapura`,
  ],
]

test.for(shells)('the completion script makes %s complete commands', async ([shell, ask], { skip }) => {
  const { stdout: script } = await newHome().gapura(['completion', shell])
  expect(script).toContain('__complete')
  const isThere = await run(shell, ['--version']).then(
    () => true,
    () => false,
  )
  skip(!isThere, `${shell} is not installed`)
  const bin = mkdtempSync(join(tmpdir(), 'gapura-bin-'))
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }))
  writeFileSync(join(bin, 'gapura'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
  chmodSync(join(bin, 'gapura'), 0o755)
  const env = { PATH: `${bin}:${process.env.PATH}`, XDG_CONFIG_HOME: bin, HOME: bin }
  const offered = async (...typed: string[]) => {
    const { stdout } = await run(shell, ['-c', ask(script, typed)], { env })
    return (
      stdout
        .split('\n')
        .filter(Boolean)
        // fish also prints a description after each word, so the test removes the descriptions. bash and zsh print
        // none, because they would insert the description together with the word.
        .map(line => (shell === 'fish' ? line.replace(/\t.*/, '') : line))
        .toSorted()
    )
  }
  expect(await offered('payments', 'c')).toEqual(['cancel', 'challenged', 'create'])
  expect(await offered('payments', 'list', '--status', 'c')).toEqual(['cancelled', 'challenged'])
})
