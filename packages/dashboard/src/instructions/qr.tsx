// Draws the QR code in the browser from its content, without a request to another service.

import { QRCodeSVG } from 'qrcode.react'

/** Draws a black-on-white QR code in both color schemes, with the margin that scanners need. */
export const Qr = ({ content, title }: { content: string; title: string }) => (
  <QRCodeSVG value={content} size={232} marginSize={4} level="M" title={title} />
)
