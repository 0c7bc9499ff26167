// Loaded into a process before its own code (node --import): its Date can be moved from outside, by the channel over
// which it was started, and it ends when that breaks. In the product nothing knows of it. PostgreSQL's clock stays: for
// whoever moves on, the database's lags behind, as on a machine whose clock was wrong.

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
// The channel alone keeps no process alive.
process.channel?.unref()

export {}
