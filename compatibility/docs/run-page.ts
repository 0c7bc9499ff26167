// Runs the code on a page as the page's reader would. README.md describes the conventions.

import { execFile } from 'node:child_process'
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { matchJson, matchText } from './compare-output.ts'
import { PageError, type Part, parsePage, type Step } from './parse-page.ts'
import { openTerminal, type Terminal } from './terminal.ts'

export type Place = {
  /** The directory in which the commands of the documentation page start. */
  directory: string
  /** The user who runs the commands. By default, the current user runs them. */
  user?: { uid: number; gid: number }
  env: Record<string, string>
  /** Maps each port number in the page's text to the port that is used in the test. */
  ports: Map<string, number>
}

export type PageRun = {
  /** Closes the named terminal, or all terminals, and ends the processes in them. */
  close(terminal?: string): Promise<void>
}

// The default time limit in milliseconds for a code block. It is long enough for a first start that installs
// packages on a slow machine.
const PATIENCE_MS = 240_000

export type PageOptions = Part & {
  /** The time limit in milliseconds within which a code block must end or print its documented output. */
  patienceMs?: number
  /**
   * If set, this function is called for each step of the page, such as a code block. It must call `run`, which executes
   * the step. A caller can use it, for example, to measure how long each step takes.
   */
  around?: (step: Step, run: () => Promise<void>) => Promise<void>
}

/** Runs all code blocks on a documentation page. Resolves when the last block has ended. */
export async function runPage(
  file: string,
  place: Place,
  { patienceMs = PATIENCE_MS, around = (_, run) => run(), ...part }: PageOptions = {},
): Promise<PageRun> {
  const terminals: Terminals = new Map()
  const close = async (name?: string) => {
    const ending = [...terminals].filter(([each]) => name === undefined || each === name)
    await Promise.all(ending.map(([, terminal]) => terminal.close()))
    for (const [each] of ending) terminals.delete(each)
  }
  try {
    const steps = parsePage(withPorts(await readFile(file, 'utf8'), place), part)
    await runSteps(steps, { place, terminals, patienceMs, around })
  } catch (error) {
    await close()
    if (error instanceof PageError) error.message = `${file}, ${error.message}`
    throw error
  }
  return { close }
}

export const withPorts = (text: string, { ports }: Pick<Place, 'ports'>): string =>
  text.replace(/(?<![\w.])(?:808\d|300\d|5432)(?![\w.]\d|\w)/g, port => String(ports.get(port) ?? port))

type Terminals = Map<string | undefined, Terminal>
type Running = { place: Place; terminals: Terminals } & Required<Pick<PageOptions, 'patienceMs' | 'around'>>

async function runSteps(steps: Step[], { place, terminals, patienceMs, around }: Running): Promise<void> {
  let directory = place.directory
  let printed = ''
  const terminalOf = async (name: string | undefined) => {
    const terminal = terminals.get(name) ?? (await openTerminal(place))
    terminals.set(name, terminal)
    return terminal
  }
  const run = async (step: Step) => {
    if (step.kind === 'file') await writeTitled(resolve(directory, step.title), step.code, place.user)
    else if (step.kind === 'patch') await patch(step, directory)
    else if (step.kind === 'output' && step.terminal === undefined) compare(step, printed)
    else if (step.kind === 'output') await waitForOutput(step, await terminalOf(step.terminal), patienceMs)
    else if (step.terminal !== undefined) await (await terminalOf(step.terminal)).type(step.code)
    else {
      const terminal = await terminalOf(undefined)
      const ended = await terminal.run(step.code, patienceMs).catch(error => {
        throw new PageError(step.line, `the command ${error.message}${others(terminals)}`)
      })
      ;({ printed, directory } = ended)
    }
  }
  for (const step of steps) await around(step, () => run(step))
  for (const [name, terminal] of terminals)
    if (terminal.exitCode())
      throw new PageError(0, `terminal ${name} ended with ${terminal.exitCode()}:\n${terminal.unread()}`)
}

async function writeTitled(path: string, code: string, user: Place['user']): Promise<void> {
  const created = await mkdir(dirname(path), { recursive: true })
  await writeFile(path, code)
  // The files belong to the user who runs the page's commands, so that these commands can change the files
  // and add others.
  if (user) for (const each of created ? [created, path] : [path]) await chown(each, user.uid, user.gid)
}

async function patch({ line, code }: Step, directory: string): Promise<void> {
  const file = join(directory, '.page.diff')
  // The diffs on a page have no line numbers. A hunk that starts with a bare @@ is located by its context.
  await writeFile(file, code.replaceAll(/^@@$/gm, '@@ -1 +1 @@'))
  await promisify(execFile)('git', ['apply', '--recount', '--unidiff-zero', file], { cwd: directory }).catch(
    error => {
      throw new PageError(line, `the diff does not apply: ${error.stderr}`)
    },
  )
  await rm(file)
}

type Output = Step & { kind: 'output' }

function compare(step: Output, printed: string): void {
  const same = step.json
    ? matchJson(step.code, printed)
    : matchText(step.code, printed, { whole: true }) !== undefined
  if (!same) throw new PageError(step.line, differs(step, printed))
}

async function waitForOutput(step: Output, terminal: Terminal, patienceMs: number): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += 50) {
    const printed = terminal.unread()
    const accounted = matchText(step.code, printed, { whole: false })
    if (accounted !== undefined) return terminal.markRead(accounted)
    if (waitedMs >= patienceMs || terminal.exitCode() !== undefined)
      throw new PageError(step.line, differs(step, printed))
    await sleep(50)
  }
}

const differs = (step: Output, printed: string) =>
  `expected output:\n${step.code}\nactual output:\n${printed}`

const others = (terminals: Terminals) =>
  [...terminals]
    .filter(([name]) => name !== undefined)
    .map(([name, terminal]) => `\nterminal ${name} printed:\n${terminal.unread()}`)
    .join('')
