import { encode, renderUnicodeCompact } from 'uqr'
import type { Cli } from './cli.ts'
import { painted } from './output.ts'

/**
 * The margin around the QR code, in modules (the squares that form the code). The standard requires a larger margin,
 * but a terminal already has empty space around the code.
 */
const MARGIN = 2

/**
 * Returns the QR code as lines of text. Each line contains two rows of squares. Returns an empty list if the
 * output is not a terminal or the code does not fit. If colors are enabled, the code is always black on
 * white.
 */
export function qrLines({ stdout, colors }: Pick<Cli, 'stdout' | 'colors'>, content: string): string[] {
  const options = { ecc: 'L', border: MARGIN } as const
  if (stdout.columns === undefined || content === '') return []
  if (encode(content, options).size > stdout.columns) return []
  const text = renderUnicodeCompact(content, options)
  return text.split('\n').map(line => painted(['whiteBright', 'bgBlack'], line, colors))
}
