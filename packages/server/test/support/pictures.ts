// Creates PNG images for the logo tests.

import { crc32, deflateSync } from 'node:zlib'

type Png = {
  width?: number
  height?: number
  color?: [number, number, number]
  chunks?: Buffer[]
  rows?: Buffer
}

const rowsOf = (width: number, height: number, color: readonly number[]): Buffer => {
  const row = Buffer.from([0, ...Array.from({ length: width }, () => color).flat()])
  return Buffer.concat(Array.from({ length: height }, () => row))
}

/** Returns a single-color PNG image. `chunks` are additional PNG chunks, which precede the image data. */
export function png({
  width = 3,
  height = 2,
  color = [15, 118, 110],
  chunks = [],
  rows = rowsOf(width, height, color),
}: Png = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // In a PNG header, these values mean 8 bits per channel and a color type with red, green, and blue.
  header.set([8, 2], 8)
  const parts = [pngChunk('IHDR', header), ...chunks, pngChunk('IDAT', deflateSync(rows)), pngChunk('IEND')]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}

/** Returns a chunk of a PNG file: the length, the name, the data, and the checksum. */
export function pngChunk(name: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

const picture = (base64: string): Buffer => Buffer.from(base64, 'base64')

/** Test images of 3 × 2 pixels in several formats, as written by a common image library. */
export const pictures = {
  jpeg: picture(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////wAALCAACAAMBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
  ),
  progressiveJpeg: picture(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////wgALCAACAAMBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAv/aAAgBAQAAAAE//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABBQJ//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAGPwJ//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPyF//9oACAEBAAAAEH//xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAE/EH//2Q==',
  ),
  lossyWebp: picture('UklGRi4AAABXRUJQVlA4ICIAAABwAQCdASoDAAIAB0CWJaACdAFAAAD+4KVBV14d3N17rgAA'),
  losslessWebp: picture('UklGRh4AAABXRUJQVlA4TBEAAAAvAkAAAAdQuz7Urf+BiOh/AAA='),
  transparentWebp: picture(
    'UklGRlAAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAeHh4eHh4AFZQOCAiAAAAcAEAnQEqAwACAAdAliWgAnQBQAAA/uClQVdeHdzde64AAA==',
  ),
  animatedWebp: picture(
    'UklGRp4AAABXRUJQVlA4WAoAAAACAAAAAgAAAQAAQU5JTQYAAAAAAAAAAABBTk1GOgAAAAAAAAAAAAIAAAEAAAAAAAJWUDggIgAAADABAJ0BKgMAAgAHQJYloAADcAD+4Lk60QS/69aW5umAAABBTk1GMAAAAAAAAAAAAAIAAAEAAAAAAABWUDggGAAAADQBAJ0BKgMAAgAAAJYlpAADcAD+77kAAA==',
  ),
  animatedPng: picture(
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAACGFjVEwAAAACAAAAAPONk3AAAAAaZmNUTAAAAAAAAAADAAAAAgAAAAAAAAAAAAAAAQAADoOaCQAAABVJREFUeJxj5C/LY2BgYGBgYGKAAQAQ8wD3GyXs+QAAABpmY1RMAAAAAQAAAAMAAAACAAAAAAAAAAAAAAABAACV8HDdAAAAGWZkQVQAAAACeJxjZGRkZGBgYGBgYGKAAQAAcgAH+vFeqgAAAABJRU5ErkJggg==',
  ),
  gif: picture('R0lGODdhAwACAIEAAA92bgAAAAAAAAAAACwAAAAAAwACAAAIBgABCBwYEAA7'),
}

/** Returns the image file `file` in the format of the field `logo` in a request. */
export const asLogo = (file: Buffer, content_type = 'image/png') => ({
  content_type,
  data: file.toString('base64'),
})
