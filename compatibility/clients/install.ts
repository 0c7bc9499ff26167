// Installs a language's official libraries by name and version, and runs programs that use them. Everything is
// installed outside the repository.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const here = import.meta.dirname

/**
 * Compiler settings that save CPU time. Without garbage collection, Go's compiler needs a quarter less CPU time.
 * Without optimization and inlining, it needs a further quarter less. For Java, the optimizing compiler is off, because
 * it would cost more time than it saves.
 */
export const goSettings = { GOGC: 'off', GOFLAGS: "'-gcflags=all=-N -l'" }
export const javaSettings = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

/** Runs a program against the sandbox and returns its report, which is the JSON in the last line it printed. */
export type Program = (name: string, sandboxUrl: string) => Promise<Record<string, unknown>>

/** Installs the libraries in python/requirements.txt in a new virtual environment. */
export async function installPython(place: string): Promise<Program> {
  const cwd = join(here, 'python')
  const python = join(place, 'venv/bin/python')
  await tool('python3', ['-m', 'venv', join(place, 'venv')], cwd)
  await tool(python, ['-m', 'pip', 'install', '--quiet', '--requirement', 'requirements.txt'], cwd)
  // With the option `-B`, Python writes no bytecode files into the repository.
  return (name, url) => report(python, ['-B', `${name}_calls.py`], cwd, url)
}

/** Builds the programs in go/go.mod. Its go.sum contains the checksums of the modules. */
export async function buildGo(place: string): Promise<Program> {
  const cwd = join(here, 'go')
  const flags = ['-mod=readonly', '-buildvcs=false']
  // Makes Go use its installed version instead of downloading another.
  const local = { ...goSettings, GOTOOLCHAIN: 'local' }
  await tool('go', ['build', ...flags, '-o', `${join(place, 'go')}/`, './...'], cwd, local)
  return (name, url) => report(join(place, 'go', name), [], cwd, url)
}

/**
 * Downloads the libraries (jars) listed in java/pom.xml. The test programs need no build step, because the java command
 * compiles each of them when it starts.
 */
export async function installJava(place: string): Promise<Program> {
  const cwd = join(here, 'java')
  const jars = join(place, 'jars')
  await tool(
    'mvn',
    ['--batch-mode', '--quiet', 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`],
    cwd,
    { MAVEN_OPTS: javaSettings.join(' ') },
  )
  return (name, url) => report('java', [...javaSettings, '-cp', `${jars}/*`, `${name}.java`], cwd, url)
}

async function report(command: string, args: string[], cwd: string, sandboxUrl: string) {
  const lines = (await tool(command, args, cwd, { SANDBOX_URL: sandboxUrl })).trim().split('\n')
  return JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>
}

/** Runs the tool and returns its output. If the tool fails, the error contains the output. */
async function tool(command: string, args: string[], cwd: string, env = {}): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, timeout: 280_000, maxBuffer: 16 * 1024 * 1024 }
  const { stdout } = await run(command, args, options).catch(error => {
    throw new Error(`${command} ${args.join(' ')} failed:\n${error.stdout}${error.stderr || error.message}`)
  })
  return stdout
}
