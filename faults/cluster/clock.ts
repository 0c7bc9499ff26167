// Moves the clock of the process that loads this file with `node --import`. The parent process sends the offset over
// the IPC channel. When the channel closes, the process exits. PostgreSQL's clock does not move.

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
// Without `unref`, the IPC channel would keep the process running after its work is done.
process.channel?.unref()

export {}
