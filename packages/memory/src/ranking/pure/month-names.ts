/** The months in the languages that people write, without accents. Languages that inflect them have each form of a date. */
import { withoutAccents } from './without-accents.ts'

const months = `
  january jan januar janvier enero gennaio janeiro januari stycznia styczen styczniu январь января январе січень січня січні ocak tammikuu tammikuuta tammikuussa ledna leden lednu ianuarie
  february feb februar fevrier febrero febbraio fevereiro februari lutego luty lutym февраль февраля феврале лютии лютого лютому subat helmikuu helmikuuta helmikuussa unora unor unoru februarie
  march mar marz mars marzo marco maart marts marca marzec marcu март марта марте березень березня березні mart maaliskuu maaliskuuta maaliskuussa marcius brezna brezen breznu martie
  april apr avril abril aprile kwietnia kwiecien kwietniu апрель апреля апреле квітень квітня квітні nisan huhtikuu huhtikuuta huhtikuussa aprilis dubna duben dubnu aprilie
  may mai mayo maggio maio mei maj maja maju май мая маи мае травень травня травні mayis toukokuu toukokuuta toukokuussa majus kvetna kveten kvetnu
  june jun juni juin junio giugno junho czerwca czerwiec czerwcu июнь июня июне червень червня червні haziran kesakuu kesakuuta kesakuussa junius cervna cerven cervnu iunie
  july jul juli juillet julio luglio julho lipca lipiec lipcu июль июля июле липень липня липні temmuz heinakuu heinakuuta heinakuussa julius cervence cervenec cervenci iulie
  august aug aout agosto augustus augusti sierpnia sierpien sierpniu август августа августе серпень серпня серпні agustos elokuu elokuuta elokuussa augusztus srpna srpen srpnu
  september sep sept septembre septiembre settembre setembro wrzesnia wrzesien wrzesniu сентябрь сентября сентябре вересень вересня вересні eylul syyskuu syyskuuta syyskuussa szeptember zari septembrie
  october oct oktober octobre octubre ottobre outubro pazdziernika pazdziernik pazdzierniku октябрь октября октябре жовтень жовтня жовтні ekim lokakuu lokakuuta lokakuussa rijna rijen rijnu octombrie
  november nov novembre noviembre novembro listopada listopad listopadzie ноябрь ноября ноябре листопад листопада листопаді kasim marraskuu marraskuuta marraskuussa listopadu noiembrie
  december dec dezember decembre diciembre dicembre dezembro grudnia grudzien grudniu декабрь декабря декабре грудень грудня грудні aralik joulukuu joulukuuta joulukuussa prosince prosinec prosinci decembrie`

/** 1 for January to 12 for December, by each name of the month. */
export const monthNames: ReadonlyMap<string, number> = new Map(
  withoutAccents(months)
    .trim()
    .split('\n')
    .flatMap((names, i) =>
      names
        .trim()
        .split(' ')
        .map((name) => [name, i + 1] as const),
    ),
)
