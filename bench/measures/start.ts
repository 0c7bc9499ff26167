import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../packages/server/test/support/free-port.ts'
import { buildPackage } from '../host/built-package.ts'
import { type Program, spawnService, startService } from '../host/service.ts'
import { type Line, type Measure, repeated, type Stage } from '../measure.ts'

/** Measures the time from spawning the process until the service reports ready. */
export const start: Measure = {
  name: 'start',
  title: 'Startup time with a migrated database and with an existing embedded database',
  async run(stage) {
    const program = buildPackage()
    return { lines: [await onDatabase(stage, program), await embedded(stage, program)] }
  },
}

async function onDatabase(stage: Stage, program: Program): Promise<Line> {
  const timed = await repeated(stage, async () => {
    const service = await startService(stage, { role: 'all', name: 'start', program })
    await service.stop()
    return { value: service.readyMs }
  })
  return { what: 'startup with DATABASE_URL', unit: 'ms', bound: { atMost: 1_000 }, ...timed }
}

async function embedded(stage: Stage, program: Program): Promise<Line> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gapura-bench-embedded-'))
  const startOnce = async () => {
    const env = { DATABASE_URL: '', GAPURA_SANDBOX_PORT: String(await freePort()) }
    const service = await spawnService(program, env, dataDir)
    await service.stop()
    return { value: service.readyMs }
  }
  try {
    await startOnce()
    const timed = await repeated(stage, startOnce)
    return {
      what: 'startup time with an existing embedded database',
      unit: 'ms',
      bound: { atMost: 2_500 },
      ...timed,
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
