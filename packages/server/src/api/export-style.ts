import { z } from 'zod'

/**
 * The query parameter `style` of a CSV export. The procedures do not use it, only the code that writes the
 * CSV does (http/streamed-lines.ts, http/send-rows.ts).
 */
export const exportStyle = z.enum(['machine', 'spreadsheet']).optional().meta({
  description:
    'Form of a CSV export. `machine` (default): amounts in cents and times in UTC. `spreadsheet`: UTF-8 with a byte order mark, amounts in rupiah with two decimals, and times in Jakarta time',
})

/** An Excel workbook's media type. */
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
