// Drawn here, from the content alone: nobody else is asked for a picture of it.

import { QRCodeSVG } from 'qrcode.react'

/** Black on white in both appearances, with the margin that scanners need. */
export const Qr = ({ content, title }: { content: string; title: string }) => (
  <QRCodeSVG value={content} size={232} marginSize={4} level="M" title={title} />
)
