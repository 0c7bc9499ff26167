import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pictures, png, pngChunk } from '../../test/support/pictures.ts'
import { logoTypes } from './branding-input.ts'
import { pictureTypeOf, readPicture } from './picture.ts'

const read = (file: Buffer) => {
  const type = pictureTypeOf(file)
  return type && readPicture(type, file)
}
const size = { width: 3, height: 2 }
const whole: [name: string, file: Buffer, type: string][] = [
  ['a PNG picture', png(), 'image/png'],
  ['a JPEG picture', pictures.jpeg, 'image/jpeg'],
  ['a progressive JPEG picture', pictures.progressiveJpeg, 'image/jpeg'],
  ['a lossy WebP picture', pictures.lossyWebp, 'image/webp'],
  ['a lossless WebP picture', pictures.losslessWebp, 'image/webp'],
  ['a transparent WebP picture', pictures.transparentWebp, 'image/webp'],
]

test.each(whole)('the type and the dimensions of %s are read from its content', (_, file, type) => {
  expect(pictureTypeOf(file)).toBe(type)
  expect(read(file)).toEqual({ ...size, isAnimated: false })
})

test.each(whole)(
  '%s is rejected if its file is incomplete, however many bytes are missing at the end',
  (_, file, type) => {
    for (let length = 0; length < file.length; length += 1)
      expect([length, readPicture(type as 'image/png', file.subarray(0, length))]).toEqual([
        length,
        undefined,
      ])
  },
)

test.each(whole)(
  '%s is rejected if the file contains another file after the end of the picture',
  (_, file) => {
    for (const more of ['\0', '<script>alert(1)</script>', 'PK\x03\x04', '%PDF-1.7'])
      expect(read(Buffer.concat([file, Buffer.from(more, 'latin1')]))).toBeUndefined()
  },
)

test.each([
  ['a PNG picture', pictures.animatedPng],
  ['a WebP picture', pictures.animatedWebp],
])('the service recognizes that %s is animated', (_, file) => {
  expect(read(file)).toEqual({ ...size, isAnimated: true })
})

test.each([
  ['an SVG drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['an SVG drawing with an XML declaration', Buffer.from('<?xml version="1.0"?><svg/>')],
  ['an HTML page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a GIF picture', pictures.gif],
  ['a sound file in a RIFF container', Buffer.from('RIFF\x04\0\0\0WAVE', 'latin1')],
  ['an empty file', Buffer.alloc(0)],
])('no supported picture type is recognized in %s', (_, file) => {
  expect(pictureTypeOf(file)).toBeUndefined()
})

test('the dimensions of a 20,000 × 20,000 PNG picture are read from a file under 2,000 bytes', () => {
  const bomb = png({ width: 20_000, height: 20_000, rows: Buffer.alloc(1_000_000) })
  expect(bomb.length).toBeLessThan(2_000)
  expect(read(bomb)).toMatchObject({ width: 20_000, height: 20_000 })
})

describe('a PNG file is accepted only if its structure is valid', () => {
  test('a PNG file with a wrong checksum, without data, or with a second header is rejected', () => {
    const flipped = png()
    flipped.writeUInt32BE(1_000, 16)
    expect(read(flipped)).toBeUndefined()
    const file = png()
    const [signature, header] = [file.subarray(0, 8), file.subarray(8, 33)]
    expect(read(Buffer.concat([signature, header, pngChunk('IEND')]))).toBeUndefined()
    expect(read(png({ chunks: [header] }))).toBeUndefined()
    expect(read(Buffer.concat([signature, pngChunk('tEXt'), file.subarray(8)]))).toBeUndefined()
  })

  test('a PNG file with a width or height of zero is rejected', () => {
    expect(read(png({ width: 0 }))).toBeUndefined()
    expect(read(png({ height: 0 }))).toBeUndefined()
  })

  test('a PNG file with additional chunks, such as text chunks, is accepted', () => {
    expect(read(png({ chunks: [pngChunk('tEXt', Buffer.from('Author\0Budi'))] }))).toMatchObject(size)
  })
})

describe('a JPEG file is accepted only if its structure is valid and browsers can display its format', () => {
  const frameAt = pictures.jpeg.indexOf(Buffer.from([0xff, 0xc0]))

  test('a JPEG file in a format that browsers do not show is rejected', () => {
    for (const kind of [0xc3, 0xc9]) {
      const file = Buffer.from(pictures.jpeg)
      file[frameAt + 1] = kind
      expect(read(file)).toBeUndefined()
    }
  })

  test("a JPEG file whose two frames have different dimensions is rejected, whatever the frames' types", () => {
    const [before, after] = [pictures.jpeg.subarray(0, frameAt), pictures.jpeg.subarray(frameAt)]
    for (const kind of [0xc0, 0xc3]) {
      const frame = Buffer.from(pictures.jpeg.subarray(frameAt, frameAt + 13))
      frame[1] = kind
      frame.writeUInt16BE(60_000, 5)
      expect(read(Buffer.concat([before, frame, after]))).toBeUndefined()
    }
  })

  test('a JPEG file without a frame or without a scan is rejected', () => {
    const [start, end] = [pictures.jpeg.subarray(0, frameAt), Buffer.from([0xff, 0xd9])]
    expect(read(Buffer.concat([start, end]))).toBeUndefined()
    expect(read(Buffer.concat([start, pictures.jpeg.subarray(frameAt, frameAt + 13), end]))).toBeUndefined()
  })
})

describe('a WebP file is accepted only if its structure is valid', () => {
  test('a WebP file whose image is larger than its canvas is rejected', () => {
    const file = Buffer.from(pictures.transparentWebp)
    file.writeUInt16LE(16_000, file.indexOf(Buffer.from([0x9d, 0x01, 0x2a])) + 3)
    expect(read(file)).toBeUndefined()
  })

  test('a WebP file with a canvas and no image is rejected', () => {
    const head = Buffer.from(pictures.transparentWebp.subarray(0, 30))
    head.writeUInt32LE(22, 4)
    expect(read(head)).toBeUndefined()
  })

  test('a WebP file is rejected if its header states a wrong file size', () => {
    const file = Buffer.from(pictures.lossyWebp)
    file.writeUInt32LE(file.readUInt32LE(4) - 2, 4)
    expect(read(file)).toBeUndefined()
  })
})

test('an image file with arbitrary bytes after a valid beginning causes no error and no endless loop', () => {
  const starts = whole.map(([, file]) => file.subarray(0, 12))
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 400 }), (start, rest) => {
      const file = Buffer.concat([start, rest])
      for (const type of logoTypes) readPicture(type, file)
    }),
  )
})

test('an image file with changed bytes causes no error and no endless loop', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...whole),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
      ([, original, type], changes) => {
        const file = Buffer.from(original)
        for (const [at, value] of changes) file[at % file.length] = value
        readPicture(type as 'image/png', file)
      },
    ),
  )
})
