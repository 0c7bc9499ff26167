import classes from './figure.module.css'

/**
 * A sum or a count that stands by itself. It is as large as its room lets it be: cut off or broken in two, it would read as
 * another one.
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
