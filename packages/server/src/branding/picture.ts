// Reads an image's type and dimensions. Rejects a file that is not exactly one complete image. A file with data after
// the image could also be a script or an archive.

import { crc32 } from 'node:zlib'
import type { LogoType } from './branding-input.ts'

export type Picture = { width: number; height: number; isAnimated: boolean }

/** Returns an image's type based on its first bytes, or undefined if the type is not supported. */
export function pictureTypeOf(file: Buffer): LogoType | undefined {
  if (file.subarray(0, 8).equals(pngSignature)) return 'image/png'
  if (file.subarray(0, 3).equals(jpegStart)) return 'image/jpeg'
  if (textAt(file, 0) === 'RIFF' && textAt(file, 8) === 'WEBP') return 'image/webp'
  return undefined
}

/**
 * Reads an image file of the given type. Returns undefined if the file is damaged or incomplete, or if it contains
 * more data after the end of the image.
 */
export function readPicture(type: LogoType, file: Buffer): Picture | undefined {
  const picture = readers[type](file)
  return picture && picture.width > 0 && picture.height > 0 ? picture : undefined
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const jpegStart = Buffer.from([0xff, 0xd8, 0xff])

const textAt = (file: Buffer, at: number): string => file.toString('latin1', at, at + 4)

/**
 * Reads a PNG file: chunks with checksums, from IHDR, which has the dimensions, to IEND (PNG specification, chapter
 * 5).
 */
function readPng(file: Buffer): Picture | undefined {
  let picture: Picture | undefined
  let hasData = false
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at)
    const end = at + 12 + length
    if (end > file.length) return undefined
    if (crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) return undefined
    const name = textAt(file, at + 4)
    if ((name === 'IHDR') === (picture !== undefined)) return undefined
    if (name === 'IHDR' && length === 13)
      picture = { width: file.readUInt32BE(at + 8), height: file.readUInt32BE(at + 12), isAnimated: false }
    if (name === 'IDAT') hasData = true
    if (name === 'acTL' && picture) picture.isAnimated = true
    if (name === 'IEND') return hasData && end === file.length ? picture : undefined
    at = end
  }
  return undefined
}

/**
 * The JPEG markers that start a frame, which contains the dimensions. Only the markers of baseline, extended and
 * progressive images are listed, because browsers do not show other images.
 */
const frames = [0xc0, 0xc1, 0xc2]
const otherFrames = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]
const [START, END, SCAN] = [0xd8, 0xd9, 0xda]

/** Reads a JPEG file: segments, one frame, scans and the end marker (ITU-T T.81, annex B). */
function readJpeg(file: Buffer): Picture | undefined {
  let picture: Picture | undefined
  let hasScan = false
  let at = 2
  while (at + 2 <= file.length) {
    if (file[at] !== 0xff) return undefined
    const marker = file[at + 1] as number
    // In a JPEG file, any number of fill bytes (0xff) may precede a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === END) return hasScan && at + 2 === file.length ? picture : undefined
    if (marker === START || otherFrames.includes(marker) || at + 4 > file.length) return undefined
    const length = file.readUInt16BE(at + 2)
    const end = at + 2 + length
    if (length < 2 || end > file.length) return undefined
    if (frames.includes(marker)) {
      if (picture || length < 8) return undefined
      picture = { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5), isAnimated: false }
    }
    if (marker === SCAN) {
      if (!picture) return undefined
      hasScan = true
    }
    at = marker === SCAN ? endOfScan(file, end) : end
  }
  return undefined
}

/**
 * Returns the position at which the scan (a JPEG file's compressed pixels) ends. The scan ends at a marker: the byte
 * 0xff and another byte. Two kinds of byte pairs do not end the scan: 0xff00 is data, and 0xffd0 to 0xffd7 only restart
 * the decoder.
 */
function endOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1] ?? 0
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at
  }
  return file.length
}

/** Reads a WebP file: a RIFF container with one image and, in some files, canvas dimensions (RFC 9649). */
function readWebp(file: Buffer): Picture | undefined {
  if (file.length < 20 || file.readUInt32LE(4) + 8 !== file.length) return undefined
  let image: Picture | undefined
  let canvas: Picture | undefined
  let isAnimated = false
  let at = 12
  while (at + 8 <= file.length) {
    const length = file.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    if (end > file.length) return undefined
    const name = textAt(file, at)
    const data = file.subarray(at + 8, at + 8 + length)
    if (name === 'VP8X') {
      if (at !== 12 || length !== 10) return undefined
      canvas = { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1, isAnimated: false }
    }
    if (name === 'VP8 ' || name === 'VP8L') {
      if (image) return undefined
      image = name === 'VP8 ' ? lossyImage(data) : losslessImage(data)
      if (!image) return undefined
    }
    if (name === 'ANIM' || name === 'ANMF') isAnimated = true
    at = end
  }
  if (at !== file.length) return undefined
  if (isAnimated) return canvas && { ...canvas, isAnimated }
  // Browsers draw the image inside a WebP file, and an image with other dimensions than the file's canvas could need
  // far more memory. An image is therefore accepted only if its dimensions equal those of the canvas.
  const isOnCanvas = !canvas || (canvas.width === image?.width && canvas.height === image.height)
  return isOnCanvas ? image : undefined
}

function lossyImage(data: Buffer): Picture | undefined {
  if (data.length < 10 || data.readUIntBE(3, 3) !== 0x9d012a) return undefined
  // In a lossy WebP image, the width and the height are 16-bit values. The two highest bits of each value are a scaling
  // factor, not part of the size.
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff, isAnimated: false }
}

function losslessImage(data: Buffer): Picture | undefined {
  if (data.length < 5 || data[0] !== 0x2f) return undefined
  const bits = data.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, isAnimated: false }
}

const readers: Record<LogoType, (file: Buffer) => Picture | undefined> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
}
