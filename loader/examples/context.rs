//! What a session receives, computed on a file tree in memory.
#![expect(clippy::print_stdout, reason = "an example prints")]

use outcrop_loader::host::MemoryHost;
use outcrop_loader::origin::Origin;
use outcrop_loader::path::AbsPath;
use outcrop_loader::session::Session;

fn main() -> Result<(), &'static str> {
    let path = |text: &str| AbsPath::new(text).ok_or("not an absolute path");
    let mut host = MemoryHost::new();
    host.file(
        &path("/shop/CLAUDE.md")?,
        *b"Use `make test`. Style: @style.md and @gone.md\n",
    );
    host.file(&path("/shop/style.md")?, *b"Small functions.\n");
    host.file(&path("/shop/api/CLAUDE.md")?, *b"Handlers never throw.\n");
    host.file(&path("/shop/api/pay.rs")?, *b"fn pay() {}\n");

    let mut session = Session::start(&host, Origin::new(path("/shop")?, path("/home/me")?));
    session.read(&path("/shop/api/pay.rs")?);

    for delivery in session.deliveries() {
        println!("{:?}", delivery.trigger);
        for layer in &delivery.layers {
            println!(
                "  {} {} ({} characters)",
                layer.scope,
                layer.path,
                layer.characters()
            );
        }
        for skip in &delivery.skipped {
            println!(
                "  left out: {} ({}): {}",
                skip.path,
                skip.reason.name(),
                skip.detail
            );
        }
    }
    Ok(())
}
