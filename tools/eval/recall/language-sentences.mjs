// @ts-check
/**
 * Sentences in fifteen languages whose notes and questions have the same words in other forms. A language has deeds as a note tells
 * them and as a question asks for them, with `_` for the thing, and things as the note has them (mostly several) and as the question
 * does (one). Every deed goes with every thing.
 *
 * @typedef {{ readonly deeds: readonly (readonly [told: string, asked: string])[], readonly things: readonly (readonly [told: string, asked: string])[], readonly rest: readonly string[] }} Sentences
 * @type {Readonly<Record<string, Sentences>>}
 */
export const sentences = {
  german: {
    deeds: [
      ['Wir haben _ verschickt.', 'Wer verschickt _?'],
      ['Nadia prüfte _ gründlich.', 'Hat jemand _ geprüft?'],
      ['_ wurden gestern gelöscht.', 'Warum löschen wir _?'],
      ['Die Kollegen bestellen _ immer freitags.', 'Wann wurde _ bestellt?'],
      ['Im Herbst übersetzte Jonas _.', 'Wer soll _ übersetzen?'],
    ],
    things: [
      ['die Rechnungen', 'die Rechnung'],
      ['die Verträge', 'der Vertrag'],
      ['die Häuser', 'das Haus'],
      ['die Handbücher', 'ein Handbuch'],
      ['die Marketingbudgets', 'Budget für Marketing'],
      ['die Schlüssel der Gäste', 'Schlüssel für den Gast'],
    ],
    rest: ['Danach gab es Kaffee.', 'Das steht auch im Kalender.', 'Mehr wissen wir noch nicht.'],
  },
  dutch: {
    deeds: [
      ['We hebben _ verstuurd.', 'Wie gaat _ versturen?'],
      ['Nadia controleerde _ nauwkeurig.', 'Wanneer is _ gecontroleerd?'],
      ['_ werden gisteren verwijderd.', 'Waarom verwijderen we _?'],
      ['De collega’s bestellen _ op vrijdag.', 'Wie heeft _ besteld?'],
      ['In de herfst vertaalde Jonas _.', 'Wie moet _ vertalen?'],
    ],
    things: [
      ['de facturen', 'de factuur'],
      ['de contracten', 'het contract'],
      ['de huizen', 'het huis'],
      ['de handleidingen', 'een handleiding'],
      ['de vergaderzalen', 'een vergaderzaal'],
      ['de sleutels van de gasten', 'de sleutel voor de gast'],
    ],
    rest: ['Daarna was er koffie.', 'Het staat ook in de agenda.', 'Meer weten we nog niet.'],
  },
  swedish: {
    deeds: [
      ['Vi skickade _.', 'Vem ska skicka _?'],
      ['Nadia granskade _ noga.', 'När granskas _?'],
      ['_ raderades igår.', 'Varför raderar vi _?'],
      ['Kollegorna beställer _ på fredagar.', 'Vem har beställt _?'],
      ['I höstas översatte Jonas _.', 'Vem ska översätta _?'],
    ],
    things: [
      ['fakturorna', 'en faktura'],
      ['avtalen', 'ett avtal'],
      ['husen', 'huset'],
      ['handböckerna', 'handboken'],
      ['mötesrummen', 'ett mötesrum'],
      ['gästernas nycklar', 'nyckeln för gästen'],
    ],
    rest: ['Sedan blev det kaffe.', 'Det står också i kalendern.', 'Mer vet vi inte än.'],
  },
  french: {
    deeds: [
      ['Nous avons envoyé _.', 'Qui envoie _ ?'],
      ['Nadia vérifiait _ avec soin.', 'Quand vérifier _ ?'],
      ['Hier, on a supprimé _.', 'Pourquoi supprimons-nous _ ?'],
      ['Les collègues commandent _ le vendredi.', 'Qui a commandé _ ?'],
      ['À l’automne, Jonas traduisait _.', 'Qui va traduire _ ?'],
    ],
    things: [
      ['les factures', 'la facture'],
      ['les contrats', 'un contrat'],
      ['les maisons', 'la maison'],
      ['les journaux', 'le journal'],
      ['les budgets nationaux', 'un budget national'],
      ['les clés des invités', 'la clé de l’invité'],
    ],
    rest: ['Ensuite il y a eu du café.', 'C’est aussi dans le calendrier.', 'Nous n’en savons pas plus.'],
  },
  spanish: {
    deeds: [
      ['Ya enviamos _.', '¿Quién envió _?'],
      ['Nadia revisaba _ con cuidado.', '¿Cuándo revisar _?'],
      ['Ayer borraron _.', '¿Por qué borramos _?'],
      ['Los colegas compran _ los viernes.', '¿Quién compró _?'],
      ['En otoño Jonas corrigió _.', '¿Quién va a corregir _?'],
    ],
    things: [
      ['las facturas', 'la factura'],
      ['los contratos', 'un contrato'],
      ['las habitaciones', 'una habitación'],
      ['los manuales', 'el manual'],
      ['los presupuestos anuales', 'el presupuesto anual'],
      ['las llaves de los invitados', 'la llave del invitado'],
    ],
    rest: ['Después hubo café.', 'También está en el calendario.', 'No sabemos más por ahora.'],
  },
  italian: {
    deeds: [
      ['Abbiamo inviato _.', 'Chi invia _?'],
      ['Nadia controllava _ con cura.', 'Quando controllare _?'],
      ['Ieri hanno cancellato _.', 'Perché cancelliamo _?'],
      ['I colleghi ordinano _ di venerdì.', 'Chi ha ordinato _?'],
      ['In autunno Jonas traduceva _.', 'Chi deve tradurre _?'],
    ],
    things: [
      ['le fatture', 'la fattura'],
      ['i contratti', 'il contratto'],
      ['le banche', 'la banca'],
      ['i manuali', 'un manuale'],
      ['i bilanci annuali', 'il bilancio annuale'],
      ['le chiavi degli ospiti', 'la chiave dell’ospite'],
    ],
    rest: ['Poi c’è stato il caffè.', 'È anche nel calendario.', 'Per ora non sappiamo altro.'],
  },
  portuguese: {
    deeds: [
      ['Já enviamos _.', 'Quem enviou _?'],
      ['A Nadia verificava _ com cuidado.', 'Quando verificar _?'],
      ['Ontem apagaram _.', 'Por que apagamos _?'],
      ['Os colegas compram _ às sextas.', 'Quem comprou _?'],
      ['No outono o Jonas corrigiu _.', 'Quem vai corrigir _?'],
    ],
    things: [
      ['as faturas', 'a fatura'],
      ['os contratos', 'um contrato'],
      ['as reuniões', 'a reunião'],
      ['os manuais', 'o manual'],
      ['os orçamentos anuais', 'o orçamento anual'],
      ['as chaves dos convidados', 'a chave do convidado'],
    ],
    rest: ['Depois houve café.', 'Também está no calendário.', 'Ainda não sabemos mais.'],
  },
  romanian: {
    deeds: [
      ['Am trimis _.', 'Cine trimite _?'],
      ['Nadia verifica _ cu grijă.', 'Când au fost verificate _?'],
      ['Ieri au șters _.', 'De ce ștergem _?'],
      ['Colegii comandă _ vinerea.', 'Cine a comandat _?'],
      ['Toamna, Jonas corecta _.', 'Cine va corecta _?'],
    ],
    things: [
      ['facturile', 'factura'],
      ['contractele', 'contractul'],
      ['casele', 'o casă'],
      ['manualele', 'un manual'],
      ['bugetele anuale', 'bugetul anual'],
      ['cheile invitaților', 'cheia invitatului'],
    ],
    rest: ['Apoi a fost cafea.', 'Este și în calendar.', 'Deocamdată nu știm mai mult.'],
  },
  polish: {
    deeds: [
      ['Podpisaliśmy _.', 'Kto podpisuje _?'],
      ['Nadia sprawdzała _ dokładnie.', 'Kiedy sprawdzić _?'],
      ['Wczoraj usunęli _.', 'Dlaczego usunięto _?'],
      ['Koledzy zamawiają _ w piątki.', 'Kto zamawiał _?'],
      ['Jesienią Jonas drukował _.', 'Kto ma wydrukować _?'],
    ],
    things: [
      ['faktury', 'fakturę'],
      ['umowy', 'umowę'],
      ['raporty', 'raportu'],
      ['podręczniki', 'podręcznik'],
      ['budżety działów', 'budżet działu'],
      ['klucze gości', 'klucz dla gościa'],
    ],
    rest: ['Potem była kawa.', 'Jest to też w kalendarzu.', 'Więcej na razie nie wiemy.'],
  },
  czech: {
    deeds: [
      ['Podepsali jsme _.', 'Kdo podepsal _?'],
      ['Nadia kontrolovala _ pečlivě.', 'Kdy kontrolovat _?'],
      ['Včera smazali _.', 'Proč jsme smazali _?'],
      ['Kolegové objednávají _ v pátek.', 'Kdo objednával _?'],
      ['Na podzim Jonas tiskl _.', 'Kdo tiskne _?'],
    ],
    things: [
      ['faktury', 'fakturu'],
      ['smlouvy', 'smlouvu'],
      ['zprávy', 'zprávu'],
      ['příručky', 'příručka'],
      ['rozpočty oddělení', 'rozpočtu oddělení'],
      ['klíče hostů', 'klíč pro hosta'],
    ],
    rest: ['Potom byla káva.', 'Je to i v kalendáři.', 'Víc zatím nevíme.'],
  },
  russian: {
    deeds: [
      ['Мы отправили _.', 'Кто отправляет _?'],
      ['Надя проверяла _ внимательно.', 'Когда проверить _?'],
      ['Вчера удалили _.', 'Почему удаляют _?'],
      ['Коллеги заказывают _ по пятницам.', 'Кто заказал _?'],
      ['Осенью Йонас печатал _.', 'Кто должен напечатать _?'],
    ],
    things: [
      ['счета', 'счёт'],
      ['договоры', 'договора'],
      ['отчёты', 'отчёт'],
      ['книги', 'книгу'],
      ['квартирные планы', 'план квартиры'],
      ['ключи гостей', 'ключ для гостя'],
    ],
    rest: ['Потом был кофе.', 'Это есть и в календаре.', 'Больше пока не знаем.'],
  },
  ukrainian: {
    deeds: [
      ['Ми надіслали _.', 'Хто надсилає _?'],
      ['Надя перевіряла _ уважно.', 'Коли перевірити _?'],
      ['Учора видалили _.', 'Чому видаляють _?'],
      ['Колеги замовляють _ щоп’ятниці.', 'Хто замовляв _?'],
      ['Восени Йонас друкував _.', 'Хто має друкувати _?'],
    ],
    things: [
      ['рахунки', 'рахунок'],
      ['договори', 'договір'],
      ['звіти', 'звіту'],
      ['книжки', 'книжку'],
      ['бюджети відділів', 'бюджет відділу'],
      ['ключі гостей', 'ключа для гостя'],
    ],
    rest: ['Потім була кава.', 'Це є і в календарі.', 'Більше поки не знаємо.'],
  },
  turkish: {
    deeds: [
      ['_ gönderdik.', '_ kim gönderiyor?'],
      ['Nadia _ dikkatle inceledi.', '_ ne zaman incelenir?'],
      ['Dün _ sildiler.', 'Neden _ siliyoruz?'],
      ['Arkadaşlar _ cuma günü sipariş ediyor.', '_ kim sipariş etti?'],
      ['Sonbaharda Jonas _ çevirdi.', '_ kim çevirecek?'],
    ],
    things: [
      ['faturaları', 'fatura'],
      ['sözleşmeleri', 'sözleşme'],
      ['evleri', 'ev'],
      ['kitapları', 'kitabı'],
      ['yıllık bütçeleri', 'yıllık bütçe'],
      ['misafirlerin anahtarlarını', 'misafir anahtarı'],
    ],
    rest: ['Sonra kahve içtik.', 'Takvimde de yazıyor.', 'Şimdilik bundan fazlasını bilmiyoruz.'],
  },
  finnish: {
    deeds: [
      ['Lähetimme _.', 'Kuka lähettää _?'],
      ['Nadia tarkisti _ huolellisesti.', 'Milloin tarkistamme _?'],
      ['Eilen _ poistettiin.', 'Miksi poistamme _?'],
      ['Kollegat tilaavat _ perjantaisin.', 'Kuka tilasi _?'],
      ['Syksyllä Jonas käänsi _.', 'Kuka voi kääntää _?'],
    ],
    things: [
      ['laskut', 'laskun'],
      ['sopimukset', 'sopimuksen'],
      ['talot', 'talon'],
      ['ohjekirjat', 'ohjekirjan'],
      ['markkinointibudjetit', 'markkinointi'],
      ['vieraiden avaimet', 'vieraan avaimen'],
    ],
    rest: ['Sitten juotiin kahvia.', 'Se on myös kalenterissa.', 'Enempää emme vielä tiedä.'],
  },
  hungarian: {
    deeds: [
      ['Elküldtük _.', 'Ki küldi el _?'],
      ['Nadia gondosan ellenőrizte _.', 'Mikor kell ellenőrizni _?'],
      ['Tegnap törölték _.', 'Miért töröljük _?'],
      ['A kollégák pénteken rendelik _.', 'Ki rendelt _?'],
      ['Ősszel Jonas lefordította _.', 'Ki fordítja _?'],
    ],
    things: [
      ['a számlákat', 'a számlát'],
      ['a szerződéseket', 'a szerződést'],
      ['a házakat', 'házat'],
      ['a kézikönyveket', 'kézikönyvet'],
      ['a költségvetéseket', 'a költségvetést'],
      ['a vendégek kulcsait', 'a vendég kulcsát'],
    ],
    rest: ['Utána kávéztunk.', 'A naptárban is benne van.', 'Egyelőre nem tudunk többet.'],
  },
  korean: {
    deeds: [
      ['_ 보냈습니다.', '_ 누가 보내나요?'],
      ['나디아가 _ 꼼꼼히 검토했습니다.', '_ 언제 검토하나요?'],
      ['어제 _ 삭제했습니다.', '왜 _ 삭제하나요?'],
      ['동료들이 금요일마다 _ 주문합니다.', '_ 누가 주문했나요?'],
      ['가을에 요나스가 _ 번역했습니다.', '_ 누가 번역하나요?'],
    ],
    things: [
      ['청구서를', '청구서는'],
      ['계약서를', '계약서의'],
      ['아파트를', '아파트는'],
      ['설명서를', '설명서는'],
      ['마케팅 예산을', '마케팅 예산은'],
      ['손님의 열쇠를', '손님 열쇠는'],
    ],
    rest: ['그 후에 커피를 마셨습니다.', '달력에도 있습니다.', '아직 더는 모릅니다.'],
  },
}
