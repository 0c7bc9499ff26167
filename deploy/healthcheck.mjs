// Runs as the image's HEALTHCHECK, because the image has Node but no curl. Exits with 0 if the URL returns a 2xx
// status.

const [url] = process.argv.slice(2)
const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined)
process.exitCode = answer?.ok ? 0 : 1
