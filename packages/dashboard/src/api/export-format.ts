/** The file formats in which lists and reports can be exported, each with its media type. */
export const exportFormats = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}
export type ExportFormat = keyof typeof exportFormats
