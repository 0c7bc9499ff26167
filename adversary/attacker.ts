// Runs an attack in its own process, so that the attacker's CPU work does not slow down the merchants' requests.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { attacks } from './attacks.ts'
import type { Target } from './world.ts'

export async function startAttack(name: string, target: Target): Promise<{ stop(): Promise<void> }> {
  const child: ChildProcess = fork(import.meta.filename, [name], { stdio: 'inherit', execArgv: [] })
  child.send(target)
  // The child process runs the attack. It sends a message to its parent once the attack has started.
  const begun = await Promise.race([
    once(child, 'message').then(() => true),
    once(child, 'exit').then(() => false),
  ])
  if (!begun) throw new Error(`the process for the attack ${name} exited before the attack started`)
  return {
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

if (process.argv[1] === import.meta.filename) {
  const attack = attacks[process.argv[2] ?? '']
  if (!attack) throw new Error(`unknown attack ${process.argv[2]}`)
  process.once('message', target => {
    attack.run(target as Target)
    process.send?.('begun')
  })
  process.on('disconnect', () => process.exit())
}
