#!/usr/bin/env node
import { type RunningSandbox, startSandbox } from './server.ts'
import { readSettings, type Settings } from './settings.ts'

/**
 * The exit code if the port is in use. The parent process can recognize this code and print an error that names the
 * parent's own port setting.
 */
const PORT_IN_USE = 98

const settings = settingsOrExit()
const sandbox = await startOrExit(settings)

function stop(): void {
  sandbox.close().then(
    () => process.exit(0),
    () => process.exit(1),
  )
}

process.on('SIGTERM', stop)
process.on('SIGINT', stop)
if (process.send) {
  // Stops the sandbox when the parent process ends or is killed. In both cases, the IPC channel closes.
  process.on('disconnect', stop)
  process.send({ ready: true, url: sandbox.url })
} else {
  process.stdout.write(`provider sandbox on ${sandbox.url}\n`)
}

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env)
  } catch (error) {
    return exit(error)
  }
}

async function startOrExit(settings: Settings): Promise<RunningSandbox> {
  try {
    return await startSandbox(settings)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      return exit(
        new Error(`${settings.host}:${settings.port} is already in use; set SANDBOX_PORT`),
        PORT_IN_USE,
      )
    }
    return exit(error)
  }
}

function exit(error: unknown, code = 1): never {
  process.stderr.write(`provider sandbox: ${error instanceof Error ? error.message : error}\n`)
  process.exit(code)
}
