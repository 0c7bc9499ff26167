/** The file formats of exports, with their media types. */
export const exportFormats = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}
export type ExportFormat = keyof typeof exportFormats
