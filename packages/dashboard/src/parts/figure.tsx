import classes from './figure.module.css'

/**
 * Shows an amount or a count in large type. If the text is long, the font shrinks to fit it, because an amount that
 * is truncated or wrapped could be misread.
 */
export const Figure = ({ children, largest = '1.25rem' }: { children: string; largest?: string }) => (
  <div className={classes.room}>
    <div
      className={classes.figure}
      style={{ ['--length' as string]: children.length, ['--largest' as string]: largest }}
    >
      {children}
    </div>
  </div>
)
