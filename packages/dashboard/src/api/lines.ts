/** Parses an NDJSON stream. All lines that a chunk completes are yielded as one group. */
export async function* linesIn<Line>(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  const decoder = new TextDecoder()
  let begun = ''
  for await (const piece of pieces) {
    const lines = (begun + decoder.decode(piece, { stream: true })).split('\n')
    begun = lines.pop() as string
    if (lines.length > 0) yield lines.map(line => JSON.parse(line) as Line)
  }
}

/**
 * Yields a stream's chunks. The code does not use async iteration for ReadableStream, because not every
 * browser implements it.
 */
export async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}
