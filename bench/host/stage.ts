// The environment (stage) for the benchmarks: one PostgreSQL with a database of each size, and the provider
// sandbox.

import type { Stage } from '../measure.ts'
import { openDatabase } from './kept.ts'
import { startPostgres } from './postgres.ts'
import { startSandbox } from './sandbox.ts'

type Options = Pick<Stage, 'rounds' | 'seconds' | 'profiles' | 'progress'> & {
  sizes: number[]
  /** The directory for data to keep for the next run. If undefined, all data is deleted. */
  dataDir: string | undefined
}

/**
 * Creates a stage (a database and the sandbox) for each data size. Returns the stages in the order of the sizes.
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
  // On these signals, this process exits together with its child processes.
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
