import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type PageOptions, runPage } from './run-page.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gapura-pages-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

/**
 * Runs the code blocks of `page`, the text of a documentation page. The text contains ~ instead of each
 * backtick.
 */
async function run(page: string, options: PageOptions = {}): Promise<void> {
  const file = join(directory, 'page.md')
  await writeFile(file, page.replaceAll('~', '`'))
  const ports = new Map([['8080', 23_456]])
  const place = { directory, ports, env: { PATH: process.env.PATH as string } }
  const { close } = await runPage(file, place, options)
  await close()
}

const made = (name: string) => readFile(join(directory, name), 'utf8')

describe("the documentation test runs a page's code blocks", () => {
  test('the documentation test runs all blocks on a page in one shell, from top to bottom', async () => {
    await run(
      '~~~sh\nmkdir shop && cd shop\nname=Budi\n~~~\nThen:\n\n~~~sh\necho "$name in $(basename "$PWD")"\n~~~\n~~~text\nBudi in shop\n~~~',
    )
  })

  test('the documentation test runs a code block in a list like any other code block', async () => {
    await run('1. First\n\n   ~~~sh\n   cat > made <<END\n   yes\n   END\n   ~~~\n')
    expect(await made('made')).toBe('yes\n')
  })

  test.each(['bash', 'ts', 'console', 'yaml', ''])(
    'the documentation test rejects a page with a %j code fence, which it cannot run',
    async language => {
      await expect(run(`~~~${language}\ntrue\n~~~`)).rejects.toThrow('the runner cannot run')
    },
  )

  test('the documentation test rejects a page with a code fence that is never closed', async () => {
    await expect(run('~~~sh\ntrue\n')).rejects.toThrow('never closed')
  })

  test('the documentation test rejects a code fence with an unknown attribute', async () => {
    await expect(run('~~~sh teminal=2\ntrue\n~~~')).rejects.toThrow('cannot have the attribute teminal')
  })

  test('the documentation test rejects a page that does not use a file it creates', async () => {
    await expect(run('~~~ts title="shop.ts"\n1\n~~~\n~~~sh\ntrue\n~~~')).rejects.toThrow(
      'no later block uses shop.ts',
    )
  })

  test('the documentation test accepts a file that is used only by another file of the same page', async () => {
    await run(
      '~~~js title="a.mjs"\nexport const a = 1\n~~~\n~~~js title="b.mjs"\nimport "./a.mjs"\n~~~\n~~~sh\nnode b.mjs\n~~~',
    )
  })

  test("the documentation test rejects SQL, unless a separate test runs the page's SQL", async () => {
    const page = '~~~sql\nselect 1;\n~~~'
    await expect(run(page)).rejects.toThrow('the runner cannot run a sql code block without a title')
    await run(page, { skipSql: true })
  })

  test('the documentation test skips diagram blocks', async () => {
    await run('~~~text diagram\na -> b\n~~~')
  })
})

describe("the documentation test runs a page's commands", () => {
  test('if a command fails in a block, the page’s test reports the block’s line and output', async () => {
    await expect(run('Text\n\n~~~sh\necho before\nfalse\necho after\n~~~')).rejects.toThrow(
      /page\.md, line 3: the command ended with 1:\nbefore\n$/,
    )
  })

  test('a command that fails on the left side of a pipe makes the page’s test fail', async () => {
    await expect(run('~~~sh\nfalse | cat\n~~~')).rejects.toThrow('ended with 1')
  })

  test('a command that reads standard input does not consume the page’s later commands', async () => {
    await run('~~~sh\ncat\n~~~\n~~~sh\ntouch made\n~~~')
    expect(await made('made')).toBe('')
  })

  test('a command that never ends is stopped after a timeout', async () => {
    await expect(
      // The code block with `true` lets bash start first. The time limit is then long enough for the `echo` commands of
      // the second block, even on a busy machine.
      run('~~~sh\ntrue\n~~~\n~~~sh\necho $$ > pid; echo waiting; sleep 1000\n~~~', { patienceMs: 3_000 }),
    ).rejects.toThrow(/line 4: the command has not ended:\nwaiting\n/)
    const pid = Number(await made('pid'))
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test("when a page's test ends, commands still running in the background are stopped", async () => {
    await run('~~~sh\nsleep 1000 &\necho $! > pid\n~~~')
    const pid = Number(await made('pid'))
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

describe("the documentation test saves a page's named code blocks as files, and applies the page's diffs to files", () => {
  test('the documentation test saves a code block with a file name under this name', async () => {
    await run(
      '~~~sh\nmkdir shop\ncd shop\n~~~\n~~~js title="src/pay.js"\nconsole.log("paid")\n~~~\n~~~sh\nnode src/pay.js\n~~~\n~~~text\npaid\n~~~',
    )
  })

  test('a diff block changes the file that it names, or makes the page’s test fail', async () => {
    const change = '~~~diff\n--- a/list\n+++ b/list\n@@\n one\n+two\n~~~\n'
    await run(`~~~sh\necho zero > list; echo one >> list; echo last >> list\n~~~\n${change}`)
    expect(await made('list')).toBe('zero\none\ntwo\nlast\n')
    await expect(run(`~~~sh\necho three > list\n~~~\n${change}`)).rejects.toThrow('the diff does not apply')
  })
})

describe('the documentation test compares real output with the output shown on a page', () => {
  const printing = (output: string, language: string, expected: string) =>
    run(`~~~sh\nprintf '%b' '${output}'\n~~~\nprints\n\n~~~${language}\n${expected}\n~~~`)

  test.each([
    ['the same lines', 'a\\nb\\n', 'a\nb'],
    ['with a part of a line omitted', 'id 123 paid\\n', 'id … paid'],
    ['with lines omitted', 'a\\nb\\nc\\nd\\n', 'a\n…\nd'],
    ['with no lines where some may be omitted', 'a\\nd\\n', 'a\n…\nd'],
    ['with everything before and after omitted', 'x\\na\\ny\\n', '…\na\n…'],
    ['with colors', '\\e[32ma\\e[0m\\n', 'a'],
    ['with no newline at the end', 'a', 'a'],
  ])(
    'the test of a documentation page passes if the documented output matches the actual output: %s',
    async (_, output, expected) => {
      await printing(output, 'text', expected)
    },
  )

  test.each([
    ['in one line', 'a\\nc\\n', 'a\nb'],
    ['by an additional line', 'a\\nb\\nc\\n', 'a\nb'],
    ['by a missing line', 'a\\n', 'a\nb'],
    ['in a line that has only the same start', 'paid late\\n', 'paid'],
    ['in a line break where … stands for part of a line', 'id 1\\nis paid\\n', 'id … paid'],
    ['because nothing is printed', '', 'a'],
  ])(
    'documented output that differs from the printed output fails the page’s test: %s',
    async (_, output, expected) => {
      await expect(printing(output, 'text', expected)).rejects.toThrow('expected output:')
    },
  )

  test.each([
    ['{"a":1,"b":[2,3]}', '{\n  "a": 1,\n  "b": [2, 3]\n}'],
    ['{"a":1,"b":2,"c":3}', '{ "a": 1, … }'],
    ['{"id":"0199","c":3}', '{ "id": "…", "c": 3 }'],
    ['{"a":{"b":1}}', '{ "a": { … } }'],
  ])('the printed JSON %s matches the documented output %s', async (output, expected) => {
    await printing(output, 'json', expected)
  })

  test.each([
    ['{"a":1,"b":2}', '{ "a": 1 }'],
    ['{"a":"x y"}', '{ "a": "xy" }'],
    ['{"id":"0199","c":"3"}', '{ "id": "…" }'],
    ['{"a":1}', '{ "a": 1, … }'],
  ])(
    "a page's test fails if a command prints the JSON %s but the page documents the output %s",
    async (output, expected) => {
      await expect(printing(output, 'json', expected)).rejects.toThrow('expected output:')
    },
  )

  test('the documentation test rejects a page with a JSON block that shows the output of a second terminal', async () => {
    await expect(run('~~~sh terminal=2\necho 1\n~~~\n~~~json terminal=2\n1\n~~~')).rejects.toThrow(
      'cannot have the attribute terminal',
    )
  })

  test('if a documentation page shows an output before its first command, the page’s test fails', async () => {
    await expect(run('~~~text\na\n~~~')).rejects.toThrow('no command before this output block')
  })
})

test('the documentation test can run one section of a page without the other sections', async () => {
  const file = join(directory, 'page.md')
  const page =
    '## Docker\n~~~sh\ntouch docker\n~~~\n## Own\n~~~sh\ntouch own\n~~~\n## Last\n~~~sh\ntouch last\n~~~'
  await writeFile(file, page.replaceAll('~', '`'))
  const place = { directory, ports: new Map(), env: { PATH: process.env.PATH as string } }
  const { close } = await runPage(file, place, { section: 'Own' })
  await close()
  expect(await made('own')).toBe('')
  for (const name of ['docker', 'last']) await expect(made(name)).rejects.toThrow('ENOENT')
  await expect(runPage(file, place, { section: 'Owm' })).rejects.toThrow(
    'the page has no code in a section Owm',
  )
})

test('the documentation test skips the tab that its options name, and runs all other tabs', async () => {
  const file = join(directory, 'page.md')
  const blocks = ['~~~sh tab="Your own"\ntouch own\n~~~', '~~~sh tab=Demonstration\ntouch demonstration\n~~~']
  await writeFile(file, blocks.join('\n').replaceAll('~', '`'))
  const place = { directory, ports: new Map(), env: { PATH: process.env.PATH as string } }
  const { close } = await runPage(file, place, { skipTab: 'Demonstration' })
  await close()
  expect(await made('own')).toBe('')
  await expect(made('demonstration')).rejects.toThrow('ENOENT')
})

describe("the documentation test runs a page's commands in a second terminal", () => {
  test('a command in a second terminal keeps running while later code blocks of the docs page run', async () => {
    await run(
      '~~~sh terminal=2\nsleep 0.2\necho ready\nuntil [ -e asked ]; do sleep 0.01; done\necho answered\nsleep 1000\n~~~\n~~~text terminal=2\nready\n~~~\n~~~sh\ntouch asked\n~~~\n~~~text terminal=2\nanswered\n~~~',
    )
  })

  test('if a command in a second terminal fails before it prints the documented output, the page’s test fails', async () => {
    await expect(
      run('~~~sh terminal=2\necho no\nfalse\n~~~\n~~~text terminal=2\nready\n~~~'),
    ).rejects.toThrow(/line 5: expected output:\nready\n\nactual output:\nno\n/)
  })

  test('if a command in a page’s second terminal fails, the page’s test fails at the end', async () => {
    await expect(
      run(
        '~~~sh terminal=2\necho $$ > pid; echo ready\n~~~\n~~~text terminal=2\nready\n~~~\n~~~sh terminal=2\nexit 3\n~~~\n~~~sh\nwhile kill -0 $(cat pid) 2>/dev/null; do sleep 0.01; done\n~~~',
      ),
    ).rejects.toThrow('terminal 2 ended with 3')
  })
})

test("the documentation test replaces a page's port numbers with its own, in files and in output", async () => {
  await run(
    'See http://127.0.0.1:8080/.\n\n~~~js title="a.js"\nconsole.log("http://127.0.0.1:8080/v1 18080 8080.5")\n~~~\n~~~sh\nnode a.js\n~~~\n~~~text\nhttp://127.0.0.1:8080/v1 18080 8080.5\n~~~',
  )
  expect(await made('a.js')).toContain('http://127.0.0.1:23456/v1 18080 8080.5')
})
