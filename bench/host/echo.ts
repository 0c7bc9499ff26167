// A child process that returns every message (wake-up.ts).

process.on('message', message => process.send?.(message))
process.on('disconnect', () => process.exit())
