import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const writer = JSON.stringify(new URL('./line-writer.ts', import.meta.url).href)
const run = (program: string, shell: string) =>
  spawnSync('bash', ['-c', shell], {
    encoding: 'utf8',
    timeout: 60_000,
    env: {
      ...process.env,
      PROGRAM: `import { lineWriter } from ${writer}\n${program}`,
      NODE: process.execPath,
    },
  })

test('log lines are written in order and completely, even if the process exits right after logging them', () => {
  const program = `
    const log = lineWriter(1)
    process.once('exit', log.flush)
    for (let n = 0; n < 5_000; n++) log.write(n + ' ' + 'ä'.repeat(50) + '\\n')`
  const { stdout } = run(program, '"$NODE" --input-type=module -e "$PROGRAM" | cat')
  expect(stdout.split('\n').map(line => line.split(' ')[0])).toEqual([
    ...Array.from({ length: 5_000 }, (_, n) => String(n)),
    '',
  ])
})

test('a process can exit even if the program that reads its log has already exited', () => {
  const program = `
    const log = lineWriter(1)
    process.once('exit', log.flush)
    for (let n = 0; n < 20; n++) {
      log.write('x'.repeat(20_000) + '\\n')
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    log.write('last\\n')
    process.stderr.write('ended')`
  const { stderr, signal } = run(program, '"$NODE" --input-type=module -e "$PROGRAM" | head -c 10 >/dev/null')
  expect([signal, stderr]).toEqual([null, 'ended'])
})
