// Moves the clock of the process that loads this file with `node --import`, but not PostgreSQL's clock. The parent
// process sends the clock's offset over the IPC channel. If the parent ends, the channel closes and this process exits
// too.

const RealDate = Date
let aheadMs = 0
const now = () => RealDate.now() + aheadMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
  apply: () => new RealDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})

process.on('message', (message: { aheadMs?: number }) => {
  if (message.aheadMs !== undefined) aheadMs = message.aheadMs
})
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// With `unref`, the process ends after its work is done, although the channel to its parent process is still
// open.
process.channel?.unref()

export {}
