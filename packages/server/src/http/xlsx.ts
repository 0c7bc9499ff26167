// Writes an XLSX workbook while its rows are being produced, so that memory use does not grow with the number of rows.
// The text in cells is stored as inline strings, which spreadsheets never execute as formulas.

import { strToU8, Zip, ZipDeflate } from 'fflate'
import { rupiahText, type SheetColumn } from './spreadsheet.ts'

/** The maximum number of rows in an Excel sheet. Further rows continue on the next sheet. */
const MAX_ROWS = 1_048_576
const WIB_MS = 7 * 3_600_000
const DAY_MS = 86_400_000
/** The number of days from the first day in Excel's calendar to 1 January 1970. */
const EPOCH_DAY = 25_569

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The cell formats, in the order of their numbers in `styles`: text, title, amount and time. */
const styles = `${declaration}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="4" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

export type XlsxWriter = {
  /**
   * Adds a row to the workbook, and returns the bytes of the file that can be sent now. There may be no such bytes
   * yet.
   */
  row(values: Record<string, unknown>): Buffer
  /** Ends the workbook and returns all of the file's bytes that have not been returned yet. */
  end(): Buffer
}

export function xlsxWriter(columns: readonly SheetColumn[], maxRows = MAX_ROWS): XlsxWriter {
  let ready: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    ready.push(bytes)
  })
  const take = () => {
    const bytes = Buffer.concat(ready)
    ready = []
    return bytes
  }
  const openFile = (name: string) => {
    const file = new ZipDeflate(name)
    zip.add(file)
    return (text: string, isLast = false) => file.push(strToU8(text), isLast)
  }
  const letters = columns.map((_, index) => columnName(index))
  /**
   * Writes a row. Each cell contains its own address, such as B3, because some programs cannot open a file in which
   * cells have no addresses.
   */
  const rowOf = (cellAt: (column: SheetColumn, address: string) => string) =>
    `<row r="${rows}">${columns.map((column, index) => cellAt(column, `${letters[index]}${rows}`)).join('')}</row>`
  let sheets = 0
  let rows = 0
  let write: ReturnType<typeof openFile> | undefined
  const openSheet = () => {
    sheets += 1
    rows = 1
    write = openFile(`xl/worksheets/sheet${sheets}.xml`)
    write(
      `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${columns.length}" width="22" customWidth="1"/></cols><sheetData>${rowOf(({ title }, address) => textCell(address, title, 1))}`,
    )
  }
  const closeSheet = () => write?.('</sheetData></worksheet>', true)
  openSheet()
  return {
    row(values) {
      if (rows === maxRows) {
        closeSheet()
        openSheet()
      }
      rows += 1
      write?.(rowOf((column, address) => cellOf(column, address, values[column.field])))
      return take()
    },
    end() {
      closeSheet()
      for (const [name, text] of packageFiles(sheets)) openFile(name)(text, true)
      zip.end()
      return take()
    },
  }
}

/** Returns the name of the column with this index, where index 0 is column A: A, …, Z, AA, …, ZZ. */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : `${columnName(Math.floor(index / 26) - 1)}${letter}`
}

function cellOf({ kind }: SheetColumn, address: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (kind === 'rupiah') return `<c r="${address}" s="2"><v>${rupiahText(Number(value))}</v></c>`
  if (kind === 'time') {
    const day = (new Date(String(value)).getTime() + WIB_MS) / DAY_MS + EPOCH_DAY
    return `<c r="${address}" s="3"><v>${day.toFixed(8)}</v></c>`
  }
  return typeof value === 'number'
    ? `<c r="${address}"><v>${value}</v></c>`
    : textCell(address, String(value), 0)
}

const textCell = (address: string, text: string, style: number): string =>
  `<c r="${address}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes text for XML, and removes characters that XML cannot contain. */
const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
    .replace(/[&<>]/g, character => entities[character] as string)

/**
 * Returns the files that describe the workbook. In the ZIP archive, they are stored after the sheets, because they
 * depend on the number of sheets, which is not known until the end.
 */
function packageFiles(sheets: number): [name: string, text: string][] {
  const each = (write: (number: number) => string) =>
    Array.from({ length: sheets }, (_, index) => write(index + 1)).join('')
  return [
    ['xl/styles.xml', styles],
    [
      'xl/workbook.xml',
      `${declaration}<workbook xmlns="${main}" xmlns:r="${office}/relationships"><sheets>${each(n => `<sheet name="Sheet${n}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${declaration}<Relationships xmlns="${packages}/relationships">${each(n => `<Relationship Id="rId${n}" Type="${office}/relationships/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="styles" Type="${office}/relationships/styles" Target="styles.xml"/></Relationships>`,
    ],
    [
      '_rels/.rels',
      `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/>${each(n => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${sheetType}.worksheet+xml"/>`)}</Types>`,
    ],
  ]
}
