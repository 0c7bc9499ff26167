// The program that clock.test.ts runs with a moved clock. The program reads the time with every JavaScript function
// that returns the time, and sends the results to the test.

process.on('message', message => {
  if (message !== 'tell') return
  const made = new Date()
  process.send?.({
    now: Date.now(),
    made: made.getTime(),
    written: Date.parse(Date()),
    given: new Date(0).getTime(),
    isDate: made instanceof Date,
    parsed: Date.parse('1970-01-01T00:00:01Z'),
    utc: Date.UTC(1970, 0, 2),
  })
})
process.send?.('ready')
setInterval(() => {}, 1_000)
