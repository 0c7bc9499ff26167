// Draws a QR code from its content. The browser draws it, so no request is sent to another service.

import { QRCodeSVG } from 'qrcode.react'

/**
 * Draws a QR code with the margin that scanners need. The code is black on white in both color schemes (light
 * and dark).
 */
export const Qr = ({ content, title }: { content: string; title: string }) => (
  <QRCodeSVG value={content} size={232} marginSize={4} level="M" title={title} />
)
