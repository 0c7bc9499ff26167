import { encode, renderUnicodeCompact } from 'uqr'
import type { Cli } from './cli.ts'
import { painted } from './output.ts'

/**
 * The margin around the QR code, in modules (its squares). It is below the standard's, because a terminal has empty
 * space around the code.
 */
const MARGIN = 2

/**
 * Returns the QR code as lines of text with two rows of squares each, or nothing if the output is no terminal or the
 * code does not fit. With colors enabled, the code is always black on white.
 */
export function qrLines({ stdout, colors }: Pick<Cli, 'stdout' | 'colors'>, content: string): string[] {
  const options = { ecc: 'L', border: MARGIN } as const
  if (stdout.columns === undefined || content === '') return []
  if (encode(content, options).size > stdout.columns) return []
  const text = renderUnicodeCompact(content, options)
  return text.split('\n').map(line => painted(['whiteBright', 'bgBlack'], line, colors))
}
