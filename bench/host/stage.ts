// Sets up the environment (called a stage) for the benchmarks: one PostgreSQL server with one database for
// each data size, and the provider sandbox.

import type { Stage } from '../measure.ts'
import { openDatabase } from './kept.ts'
import { startPostgres } from './postgres.ts'
import { startSandbox } from './sandbox.ts'

type Options = Pick<Stage, 'rounds' | 'seconds' | 'profiles' | 'progress'> & {
  sizes: number[]
  /**
   * The directory that keeps the databases for the next run of the benchmarks. If undefined, all data is
   * deleted.
   */
  dataDir: string | undefined
}

/**
 * Creates a stage, the environment of a benchmark (a database and the sandbox), for each data size. Returns the stages
 * in the order of the sizes.
 */
export async function setStages({
  sizes,
  dataDir,
  ...options
}: Options): Promise<{ stages: Stage[]; stop(): Promise<void> }> {
  const postgres = await startPostgres(dataDir)
  const undo = [postgres.stop]
  const stop = async () => {
    while (undo.length > 0) await undo.pop()?.()
  }
  // If this process gets one of these signals, it first stops its child processes and then exits.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(1)))
  try {
    const sandbox = await startSandbox()
    undo.push(sandbox.stop)
    const stages: Stage[] = []
    for (const payments of sizes) {
      const database = await openDatabase(postgres, sandbox, { name: `bench_${payments}`, payments, dataDir })
      stages.push({ ...options, turn: run => run(), postgres, sandbox, database })
    }
    return { stages, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
